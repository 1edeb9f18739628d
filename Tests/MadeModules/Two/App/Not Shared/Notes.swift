this is no Swift
