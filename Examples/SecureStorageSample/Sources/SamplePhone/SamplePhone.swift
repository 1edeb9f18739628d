// OneSource: phone from Examples/SecureStorageSample/Shared, Examples/SecureStorageSample/Phone
