import type { FileToPrint } from './commands.ts'

const extensions: Record<FileToPrint['format'], string> = {
  gcode: '.gcode',
  bgcode: '.bgcode',
  'gcode-3mf': '.gcode.3mf',
  ufp: '.ufp',
}

/** Printers and their file stores differ in what they take; all take this much before the extension. */
const MAX_BASE_LENGTH = 60
const TAIL_LENGTH = 12

/** What of an attempt's ID stands in the name of its file; its last 60 bits, which are random. */
const tailOf = (attemptId: string) => attemptId.replace(/[^A-Za-z0-9]/g, '').slice(-TAIL_LENGTH)

/**
 * The name of a file at the printer: safe everywhere, still readable, and unique to the attempt, so that a run is
 * recognised by it even when the printer's answer with its own run identity was lost.
 */
export function attemptFileName(file: Pick<FileToPrint, 'name' | 'format'>, attemptId: string): string {
  const extension = extensions[file.format]
  const lowered = file.name.toLowerCase()
  const base = lowered.endsWith(extension) ? file.name.slice(0, -extension.length) : file.name.replace(/\.[^.]*$/, '')
  const safe = base
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // No blanks: some printers store them as something else, and the run would go by another name than its file.
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._-]+|[._]+$/g, '')
    .slice(0, MAX_BASE_LENGTH - TAIL_LENGTH - 1)
  return `${safe || 'print'}-${tailOf(attemptId)}${extension}`
}

/**
 * True when a file at a printer was brought there for this attempt. Printers show names in capitals, with another extension or
 * with none; a copy under a changed name is another file. It says which file, not which run: a person can print it once more.
 */
export function isFileOfAttempt(fileName: string, attemptId: string): boolean {
  const [, tail] = /-([A-Za-z0-9]+)(?:\.[A-Za-z0-9]+){0,2}$/.exec(fileName) ?? []
  return tail !== undefined && tail.toLowerCase() === tailOf(attemptId).toLowerCase()
}
