import HealthKit

func authorize(_ store: HKHealthStore) {}
