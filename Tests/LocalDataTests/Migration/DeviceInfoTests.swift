import Testing

@testable import LocalData

@Suite struct DeviceFamilyTests {
    @Test(arguments: [
        ("iPhone17,1", "iPhone"), ("iPad14,1", "iPad"), ("iPod9,1", "iPod touch"), ("Watch7,1", "Apple Watch"), ("Mac14,2", "Mac"),
        ("MacBookPro18,3", "Mac"), ("arm64", nil), ("", nil), ("unknown", nil),
    ]) func theModelNamesTheFamily(_ model: String, _ family: String?) {
        #expect(DeviceInfo.family(ofModel: model) == family)
    }
}
