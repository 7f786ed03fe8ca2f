/**
 * Reason why a file was refused.
 * `NOT_A_PRINT_FILE`: nothing we know. `DAMAGED`: a known format that breaks its own rules, usually cut short.
 * `UNSAFE`: it would take more memory, time or trust than the limits allow. `UNREADABLE`: the disk said no.
 */
export type PrintFileErrorCode = 'NOT_A_PRINT_FILE' | 'DAMAGED' | 'UNSAFE' | 'UNREADABLE'

/** A refused file. The message says what is wrong and where: a byte offset, an entry's name or a line. */
export class PrintFileError extends Error {
  override readonly name = 'PrintFileError'
  readonly code: PrintFileErrorCode

  constructor(code: PrintFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A foreign name as it may stand in a message: one line, no control characters, not endless. */
export function quoteName(name: string): string {
  const printable = name.replace(/\p{C}/gu, '�')
  return `"${printable.length > 80 ? `${printable.slice(0, 80)}…` : printable}"`
}
