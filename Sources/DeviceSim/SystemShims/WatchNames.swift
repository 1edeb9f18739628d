// What a watch app gets from the system and finds under WatchKit's names. Of DeviceSim nothing else is visible here.

/// The task that a watch app holds for content from the phone.
@_exported public import class DeviceSimCore.ConnectivityRefreshTask
