import type { ReportedProblem } from './reported-problem.ts'

/** Problem, and what a person does about it; one sentence each, for any family of printers. */
export interface ConnectionProblemWords {
  message: string
  remedy: string
}

/**
 * Reason why a hub cannot work with a printer: reason, for programs → words, for people. One list for the test of a new connection
 * and for the health of a printer that is watched, so that both say the same. A reason keeps its meaning for ever; a driver
 * that knows the printer better replaces the words by its own.
 */
export const connectionProblems = {
  address_invalid: {
    message: 'The address cannot be understood.',
    remedy: 'Give a host name or an IP address, with a port or a path where the printer needs one.',
  },
  address_not_allowed: {
    message: 'The hub does not connect to this address, because it is outside the local network.',
    remedy:
      'Give the address of the printer in the local network, or allow public addresses in the settings of the hub.',
  },
  unreachable: {
    message: 'Nothing answers at this address.',
    remedy:
      'Check that the printer is switched on, that its address is right, and that the hub is in the same network.',
  },
  refused: {
    message: 'The device at this address does not accept connections at this port.',
    remedy: 'Check the port, and that network access is switched on at the printer.',
  },
  no_answer: {
    message: 'The device at this address took the connection and then said nothing.',
    remedy: 'Switch the printer off and on again; if that does not help, check the address and the port.',
  },
  credentials_missing: {
    message: 'The printer requires credentials and none were given.',
    remedy: "Enter the access code, key or password that the printer shows in its menu or its server's settings.",
  },
  credentials_wrong: {
    message: 'The printer refuses the credentials.',
    remedy:
      'Read the access code, key or password at the printer once more; it changes when network modes are switched.',
  },
  developer_mode_off: {
    message: 'The printer can be read but refuses commands, because its Developer mode is off.',
    remedy: "Switch on Developer mode in the printer's network settings, then read the access code again.",
  },
  lan_mode_off: {
    message: 'The printer is bound to its cloud and takes no connections from the local network.',
    remedy: "Switch on LAN mode in the printer's network settings.",
  },
  certificate_unknown: {
    message: 'The certificate of the printer was issued by no authority that the hub knows.',
    remedy: 'Compare the fingerprint and pin this certificate, or give the certificate of its authority.',
  },
  certificate_changed: {
    message: 'The printer shows another certificate than the one that was pinned.',
    remedy: 'If the printer was reset or its mainboard replaced, test the connection and pin the new certificate.',
  },
  serial_missing: {
    message: 'The printer can only be spoken to with its serial number, and none is set.',
    remedy: 'Enter the serial number, which the printer shows in its menu.',
  },
  serial_differs: {
    message: 'The device at this address is a printer with another serial number.',
    remedy: 'Check the address and the serial number; the address may have passed to another printer.',
  },
  not_this_family: {
    message: 'The device at this address answers, but it is not a printer of this kind.',
    remedy: 'Choose the connection type that fits the printer, or check the address and the port.',
  },
  unsupported_firmware: {
    message: 'The firmware of the printer is older than what this hub can speak with.',
    remedy: 'Update the firmware of the printer.',
  },
  too_many_connections: {
    message: 'The printer has no connection left for the hub.',
    remedy: 'Close other programs and apps that are connected to the printer, then try again.',
  },
  busy: {
    message: 'The printer is busy and does not answer this now.',
    remedy: 'Wait until the printer is idle, then try again.',
  },
  print_out_of_reach: {
    message: 'The printer does not answer, and a print of ours is on it.',
    remedy:
      'Look at the printer. When it answers again its print is followed on; when the print is over, say so: resolve its job, or stop it with seen_over.',
  },
  printer_not_connected: {
    message: 'The print server answers, but no printer is connected to it.',
    remedy: "Connect the printer to its server: check the cable and the power, and connect in the server's own pages.",
  },
  clock_skew: {
    message: 'The clocks of the printer and of the hub differ so much that they do not believe each other.',
    remedy: 'Set the clock of the hub and of the printer, or let both take it from the network.',
  },
  commands_refused: {
    message: 'The printer can be read but refuses commands.',
    remedy: 'Give the hub credentials that may control the printer, or allow it in the settings of the printer.',
  },
  firmware_stopped: {
    message: 'The firmware of the printer has stopped.',
    remedy: 'Look at the printer, fix what its message names, and restart its firmware.',
  },
  print_error: {
    message: 'The last print ended with an error of the printer.',
    remedy:
      'Look at the printer and its plate, correct what the message names, and clear the plate; the next print may start then.',
  },
  storage_missing: {
    message: 'The printer has no storage that files can be written to.',
    remedy: 'Put a memory card or USB drive into the printer, and check that it is not write-protected.',
  },
  storage_faulty: {
    message: 'The storage of the printer cannot be read or written.',
    remedy: 'Format the memory card or USB drive at the printer, or replace it.',
  },
  storage_full: {
    message: 'The storage of the printer has no room for a file.',
    remedy: 'Delete files that are no longer needed from the storage of the printer.',
  },
  hub_clock_skew: {
    message: 'The clocks of the hub and of the service differ.',
    remedy: 'Let the machine of the hub take its time from the network.',
  },
  hub_storage_low: {
    message: 'The disk of the hub is nearly full.',
    remedy: 'Free space on the disk of the hub.',
  },
  hub_storage_full: {
    message: 'The hub cannot write to its disk, so it takes no orders.',
    remedy: 'Free space on the disk of the hub, and check that its folder can be written.',
  },
  hub_plain_text: {
    message: 'The hub talks to the service without encryption: its token and print files can be read on the network.',
    remedy: 'Reach the service by https, and join the hub again at that address.',
  },
  hub_replaced: {
    message: 'Another machine connected as this hub and took the place of the one before.',
    remedy: 'If the hub was not moved, make a new join code and join again on the right machine.',
  },
  not_supported: {
    message: 'This version of the hub does not know this kind of connection.',
    remedy: 'Update the hub.',
  },
  unknown: {
    message: 'The connection failed for a reason that the hub does not know.',
    remedy: 'Look into the log of the hub.',
  },
} as const satisfies Readonly<Record<string, ConnectionProblemWords>>

export type ConnectionProblemReason = keyof typeof connectionProblems

/** A reason with its words. */
export interface ConnectionProblem extends ConnectionProblemWords {
  reason: ConnectionProblemReason
}

/** The problem with the words of its reason, or with better ones where the caller has them. */
export function connectionProblem(
  reason: ConnectionProblemReason,
  words: Partial<ConnectionProblemWords> = {},
): ConnectionProblem {
  return { reason, ...connectionProblems[reason], ...words }
}

/** The most problems that one thing has at a time. */
export const MOST_PROBLEMS = 16

/** A reported problem in the words for people; a reason of which we do not know is `unknown`, with what the hub says. */
export function readProblem({ reason, message }: ReportedProblem): ConnectionProblem {
  const known = Object.hasOwn(connectionProblems, reason) ? (reason as ConnectionProblemReason) : 'unknown'
  return connectionProblem(known, message === null ? {} : { message })
}
