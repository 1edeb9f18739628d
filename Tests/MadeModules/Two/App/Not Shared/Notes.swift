// Left out by the recipes: no host could compile it.
import HealthKit

let store = HKHealthStore()
