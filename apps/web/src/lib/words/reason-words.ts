import { t } from '../i18n/t.ts'

/** What the codes of hubs and of the service say to people. */
const sentences: Record<string, string> = {
  PRINT_FAILED: t('The printer reported that the print failed'),
  PRINTER_IGNORED_START: t('The printer did not start the print'),
  PRINTER_REFUSED: t('The printer refused the print'),
  PRINTER_BUSY: t('The printer was busy'),
  PRINTER_UNREACHABLE: t('The printer could not be reached'),
  REFUSED_OUT_OF_SIGHT: t('The printer could not be seen when the print was to start'),
  REFUSED: t('The printer refused it'),
  UNREACHABLE: t('The printer could not be reached'),
  BUSY: t('The printer was busy'),
  NO_ANSWER: t('The printer gave no answer'),
  WRONG_STATE: t('The printer was doing something else'),
  NOT_SUPPORTED: t('The printer cannot do this'),
  OFFLINE: t('The hub was not connected'),
  TIMEOUT: t('The hub gave no answer in time'),
  EXPIRED: t('It reached the hub too late'),
  HUB_LOST: t('The connection to the hub was lost'),
  HUB_SILENT: t('The hub stopped reporting'),
  HUB_RESTARTED: t('The hub was restarted'),
  JOURNAL_LOST: t('The hub lost its record of the print'),
  JOURNAL_FAILED: t('The hub could not record the start'),
  ORDER_LOST: t('The start never reached the printer'),
  RESULT_LOST: t('The end of the print was not seen'),
  UNKNOWN_OUTCOME: t('The end of the print was not seen'),
  SERVICE_RESTORED: t('The service was restored from a backup'),
  SECOND_COPY: t('The same print was reported twice'),
  STALE_FENCE: t('A newer start took its place'),
  PLATE_CHANGED: t('Something else was printed in between'),
  UPLOAD_BROKEN: t('The file did not reach the printer whole'),
  UPLOAD_FAILED: t('The file did not reach the printer'),
  FILE_CORRUPT: t('The file was damaged on its way to the hub'),
  FILE_UNAVAILABLE: t('The hub could not fetch the file'),
  FILE_STORE_FAILED: t('The hub could not store the file'),
  FILAMENT_NOT_MAPPED: t('No loaded filament is given for a colour of the file'),
  FILAMENT_RUNOUT: t('The filament ran out'),
  NOT_MAPPED: t('No loaded filament is given for a colour of the file'),
  STOPPED: t('Stopped by a person'),
  GIVEN_UP: t('Ended by a person who looked'),
  SEEN_OVER: t('A person saw that it was over'),
  SEEN_PRINTED: t('A person saw that it was printed'),
  SEEN_FAILED: t('A person saw that it failed'),
  SEEN_NOT_STARTED: t('A person saw that it never started'),
  INTERNAL: t('The hub failed at it'),
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
