/**
 * What an OctoPrint without a printer of its own says of itself, as far as senders read it. Cura's plugin takes the key for
 * right once it may read the settings, and offers to send once there is a printer that is idle: a farm takes files at any
 * time. It reads every flag of the state and both times of the progress, so none may be missing; a temperature without a
 * nozzle would leave it without an extruder.
 */
export const octoPrintSettings = { feature: { sdSupport: false }, webcam: { webcamEnabled: false }, plugins: {} }

export const octoPrintPrinter = {
  state: {
    text: 'Operational',
    flags: {
      operational: true,
      ready: true,
      printing: false,
      paused: false,
      pausing: false,
      resuming: false,
      cancelling: false,
      finishing: false,
      error: false,
      closedOrError: false,
      sdReady: false,
    },
  },
}

export const octoPrintJob = {
  job: { file: { name: null, path: null, origin: null, size: null, date: null }, estimatedPrintTime: null },
  progress: { completion: null, filepos: null, printTime: null, printTimeLeft: null },
  state: 'Operational',
}

export const octoPrintProfiles = {
  profiles: { _default: { id: '_default', name: 'Printyard', model: 'Printyard', default: true, current: true } },
}

/** Person whom a key belongs to, as far as a sender shows it. There is no session: keys are all that opens this door. */
export const octoPrintLogin = { name: 'Printyard', active: true, user: true, admin: false, session: null }
