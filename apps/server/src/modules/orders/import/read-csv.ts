import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { validationError } from '../../../kernel/errors.ts'

/** Rows below the header that one file may have. */
export const mostRows = 10_000

/** Number of rows that go by between two words of how many there were. */
const rowsPerWord = 100

const mostColumns = 200

/** A cell with more is cut nowhere: its row is refused by what its field allows. A row with more has a quote that is not closed. */
const mostRowBytes = 65_536

/** Text that is parsed in one turn of the event loop. */
const sliceLength = 65_536

/** A row as a spreadsheet shows it: the header is row 1, and rows without anything count. */
interface CsvRow {
  row: number
  cells: string[]
}

export interface CsvTable {
  header: string[]
  rows: CsvRow[]
}

/**
 * Reads a file of comma-, semicolon- or tab-separated values in UTF-8 or, with a byte order mark, UTF-16. It is read in slices,
 * so that others are served meanwhile. `onRows` is told how many rows were read.
 *
 * @throws AppError `VALIDATION_ERROR` that names the line, for what is no such file, has a broken quote or too many rows.
 */
export async function readCsv(bytes: Buffer, onRows: (rows: number) => void = () => undefined): Promise<CsvTable> {
  const text = decode(bytes)
  const rows: CsvRow[] = []
  for await (const { record, row } of records(text)) {
    if (record.every((cell) => cell.trim() === '')) continue
    rows.push({ row, cells: record })
    if (rows.length % rowsPerWord === 0) onRows(rows.length)
    if (rows.length > mostRows + 1) throw unreadable(`has more than ${mostRows} rows; send it in parts`)
  }
  const [first, ...others] = rows
  if (!first) throw unreadable('is empty; the first row names the columns')
  const header = first.cells.map((name) => name.trim())
  if (header.length > mostColumns) throw unreadable(`has more than ${mostColumns} columns`)
  return { header, rows: others }
}

async function* records(text: string): AsyncGenerator<{ record: string[]; row: number }> {
  const parser = parse({
    delimiter: findDelimiter(text),
    info: true,
    max_record_size: mostRowBytes,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  const feeding = feed(text, parser)
  // Refused below, by what the parser says.
  feeding.catch(() => undefined)
  try {
    for await (const { record, info } of parser) {
      yield { record, row: info.records + info.empty_lines }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw unreadable(describe(error))
  } finally {
    parser.destroy()
  }
  await feeding
}

async function feed(text: string, parser: ReturnType<typeof parse>): Promise<void> {
  for (let at = 0; at < text.length && !parser.destroyed; at += sliceLength) {
    if (!parser.write(text.slice(at, at + sliceLength))) await drained(parser)
    await nextTurn()
  }
  if (!parser.destroyed) parser.end()
}

/** Until the parser takes more, or never will. */
function drained(parser: ReturnType<typeof parse>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      parser.off('drain', done).off('close', done)
      resolve()
    }
    parser.on('drain', done).on('close', done)
  })
}

function describe(error: CsvError): string {
  const line = typeof error.lines === 'number' ? `line ${error.lines}: ` : ''
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `${line}a quote is not closed`
    case 'CSV_MAX_RECORD_SIZE':
      return `${line}a row is longer than ${mostRowBytes} bytes; a quote before it may not be closed`
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
      return `${line}a quote stands inside of a cell; in a cell with quotes each is written twice`
    default:
      return `${line}cannot be read as CSV`
  }
}

/** Finds which of the three common ones the first line has most often outside of quotes. */
function findDelimiter(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((each) => ({ each, count: bare.split(each).length }))
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).each
}

function decode(bytes: Buffer): string {
  if (bytes.length === 0) throw unreadable('is empty; the first row names the columns')
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    throw unreadable('is a workbook or archive, not CSV; export it as CSV (UTF-8)')
  }
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    if (text.includes('\0')) throw unreadable(`line ${lineOf(text, text.indexOf('\0'))}: has a NUL byte; it is no text`)
    return text
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const damaged = new TextDecoder(encoding).decode(bytes)
    const line = lineOf(damaged, damaged.indexOf('\ufffd'))
    throw unreadable(`line ${line}: is not ${encoding.toUpperCase()}; save it as CSV (UTF-8)`)
  }
}

const lineOf = (text: string, index: number) => text.slice(0, Math.max(0, index)).split('\n').length

function unreadable(why: string) {
  return validationError({ _root: [why] })
}
