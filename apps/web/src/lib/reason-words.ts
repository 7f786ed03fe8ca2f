/** What the codes of hubs and of the service say to people. */
const sentences: Record<string, string> = {
  PRINT_FAILED: 'The printer reported that the print failed',
  PRINTER_IGNORED_START: 'The printer did not start the print',
  PRINTER_REFUSED: 'The printer refused the print',
  PRINTER_BUSY: 'The printer was busy',
  PRINTER_UNREACHABLE: 'The printer could not be reached',
  REFUSED_OUT_OF_SIGHT: 'The printer could not be seen when the print was to start',
  REFUSED: 'The printer refused it',
  UNREACHABLE: 'The printer could not be reached',
  BUSY: 'The printer was busy',
  NO_ANSWER: 'The printer gave no answer',
  WRONG_STATE: 'The printer was doing something else',
  NOT_SUPPORTED: 'The printer cannot do this',
  OFFLINE: 'The hub was not connected',
  TIMEOUT: 'The hub gave no answer in time',
  EXPIRED: 'It reached the hub too late',
  HUB_LOST: 'The connection to the hub was lost',
  HUB_SILENT: 'The hub stopped reporting',
  HUB_RESTARTED: 'The hub was restarted',
  JOURNAL_LOST: 'The hub lost its record of the print',
  JOURNAL_FAILED: 'The hub could not record the start',
  ORDER_LOST: 'The start never reached the printer',
  RESULT_LOST: 'How the print ended was not seen',
  UNKNOWN_OUTCOME: 'How the print ended was not seen',
  SERVICE_RESTORED: 'The service was restored from a backup',
  SECOND_COPY: 'The same print was reported twice',
  STALE_FENCE: 'A newer start took its place',
  PLATE_CHANGED: 'Something else was printed in between',
  UPLOAD_BROKEN: 'The file did not reach the printer whole',
  UPLOAD_FAILED: 'The file did not reach the printer',
  FILE_CORRUPT: 'The file was damaged on its way to the hub',
  FILE_UNAVAILABLE: 'The hub could not fetch the file',
  FILE_STORE_FAILED: 'The hub could not store the file',
  FILAMENT_NOT_MAPPED: 'No loaded filament is given for a colour of the file',
  FILAMENT_RUNOUT: 'The filament ran out',
  NOT_MAPPED: 'No loaded filament is given for a colour of the file',
  STOPPED: 'Stopped by a person',
  GIVEN_UP: 'Ended by a person who looked',
  SEEN_OVER: 'A person saw that it was over',
  SEEN_PRINTED: 'A person saw that it was printed',
  SEEN_FAILED: 'A person saw that it failed',
  SEEN_NOT_STARTED: 'A person saw that it never started',
  INTERNAL: 'The hub failed at it',
}

const code = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

/**
 * A reason as people read it. Sentences stay as they are; a code is told by what it means, one of a later service or hub by
 * its words: `NOZZLE_BLOCKED` reads `Nozzle blocked`.
 */
export function reasonWords(reason: string): string {
  const known = sentences[reason]
  if (known !== undefined) return known
  if (!code.test(reason) || reason.length < 4) return reason
  const words = reason.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
