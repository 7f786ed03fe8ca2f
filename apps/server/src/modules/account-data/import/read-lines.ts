import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { AccountDataError } from '../format/account-data-error.ts'

export type JsonRow = Record<string, unknown>

export interface Line {
  /** From 1. */
  number: number
  text: string
}

/** Rows that are written by one statement: at most so many, and about so many characters. */
const mostLines = 250
const mostCharacters = 1_000_000

/** The lines of a kind, a bounded number at a time. */
export async function* readBatches(path: string): AsyncGenerator<Line[]> {
  let batch: Line[] = []
  let characters = 0
  let number = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    batch.push({ number, text })
    characters += text.length
    if (batch.length < mostLines && characters < mostCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** The object of a line. @throws AccountDataError `EXPORT_DAMAGED` */
export function parseLine(path: string, { number, text }: Line): JsonRow {
  const words = `${path}, line ${number}: is no JSON object.`
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonRow
  } catch (error) {
    throw new AccountDataError('EXPORT_DAMAGED', words, { cause: error })
  }
  throw new AccountDataError('EXPORT_DAMAGED', words)
}
