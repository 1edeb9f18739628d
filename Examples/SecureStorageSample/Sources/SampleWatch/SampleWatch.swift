// OneSource: watch from Examples/SecureStorageSample/Shared, Examples/SecureStorageSample/Watch
