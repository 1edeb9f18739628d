@_exported import DeviceSimCatalogue  // what is known of the session, and apps that get it wrong
// `import DeviceSim` is all that a test needs. The layers are modules so that the compiler keeps their direction: each imports those before it.
@_exported import DeviceSimCore  // two devices, their storage and their sessions
@_exported import DeviceSimLanguage  // scenario files
@_exported import DeviceSimObservation  // what logs of real devices tell
@_exported import DeviceSimRunner  // their runs
@_exported import DeviceSimSearch  // runs that nobody wrote, held to the promises
@_exported import SimulatedKits  // the same of Apple's frameworks for apps, and the app that runs delegates
@_exported import SimulatedSystem  // what the system's names are to app code
