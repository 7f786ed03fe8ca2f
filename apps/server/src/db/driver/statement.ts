import { checkParameter, checkParameterCount, JsonText } from './sendable-parameters.ts'
import { castOf, type WireValue, writeValue } from './values.ts'

/** What a `jsonb` column holds. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A statement as it goes to the server. */
export interface WireStatement {
  text: string
  values: WireValue[]
  /** True when the server should keep it prepared. Without it and without values, `text` may hold several statements. */
  isPrepared: boolean
  /** Place in the code, as lines of a stack; for the message of its failure. */
  origin: () => string
}

// biome-ignore lint/suspicious/noExplicitAny: the columns of a statement are known only to its author, who names them by a type argument where they matter
export type Row = Record<string, any>

/** The rows of an answer, and how many rows the statement read or changed. */
export type Rows<Each extends readonly unknown[] = Row[]> = Each & { count: number }

/** Sends a statement and answers its rows. */
export type Run = (statement: WireStatement) => Promise<Rows>

type Parameter = string | number | bigint | boolean | null | Date | Uint8Array | JsonText | readonly Parameter[]
/** What may stand between the texts of a template: a parameter, or a part of a statement or several of them. */
type Part = Parameter | Fragment | readonly Fragment[]

/** Runs statements: a pool or a transaction. Query functions take it first. */
export interface Sql {
  /** A statement, sent when it is awaited; inside another template, a part of that one. */
  // biome-ignore lint/suspicious/noExplicitAny: rows are what the author of the statement says they are
  <Each extends readonly any[] = Row[]>(
    template: TemplateStringsArray,
    ...parts: readonly Part[]
  ): Statement<Rows<Each>>
  /** The quoted name of a table or column. */
  (name: string): Fragment
  /**
   * After `set`: `"a" = $1, "b" = $2`. After `in`: `($1, $2)`. Elsewhere the columns and values of an insert, with the columns
   * of the first row.
   */
  (rows: object | readonly unknown[]): Fragment
  json(value: unknown): JsonText
  /** A text as it is; alone it may hold several statements, and answers the rows of the last. */
  unsafe(text: string): Statement<Rows>
}

/** Runs statements of one transaction. Usable wherever `Sql` is asked for. */
export interface Transaction extends Sql {
  /** Runs a part of the transaction: when it throws, only the part is rolled back. */
  savepoint<T>(work: (sql: Transaction) => Promise<T>): Promise<T>
}

/** A part of a statement. */
export abstract class Fragment {
  abstract writeTo(writer: StatementWriter): void
}

class StatementWriter {
  text = ''
  readonly values: WireValue[] = []

  add(part: unknown): void {
    if (part instanceof Fragment) part.writeTo(this)
    else if (isFragmentList(part)) {
      for (const [index, each] of part.entries()) {
        if (index > 0) this.text += ' '
        each.writeTo(this)
      }
    } else {
      this.values.push(writeValue(part))
      this.text += `$${this.values.length}${castOf(part)}`
    }
  }
}

const isFragmentList = (value: unknown): value is Fragment[] => Array.isArray(value) && value[0] instanceof Fragment

function checkPart(value: unknown): void {
  if (!(value instanceof Fragment) && !isFragmentList(value)) checkParameter(value)
}

/** A promise of rows that begins with its first reader. */
class Statement<Answer> extends Fragment implements Promise<Answer> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #texts: readonly string[]
  readonly #parts: readonly unknown[]
  readonly #run: Run
  #isPrepared: boolean
  #rows: Promise<Answer> | undefined

  constructor(texts: readonly string[], parts: readonly unknown[], run: Run, isPrepared: boolean) {
    super()
    for (const part of parts) checkPart(part)
    this.#texts = texts
    this.#parts = parts
    this.#run = run
    this.#isPrepared = isPrepared
    if (!origins.has(texts)) origins.set(texts, captureOrigin())
  }

  override writeTo(writer: StatementWriter): void {
    writer.text += this.#texts[0]
    for (let index = 0; index < this.#parts.length; index += 1) {
      writer.add(this.#parts[index])
      writer.text += this.#texts[index + 1]
    }
  }

  /**
   * Has the server make a plan for these very values and keep none. Unlike `force_custom_plan`, it says nothing about the statements that
   * the server runs for this one, such as those that look up foreign keys: planning them takes longer than they do.
   */
  plannedForOnce(): this {
    this.#isPrepared = false
    return this
  }

  /** Sends the statement now; its rows may be read later. */
  execute(): this {
    this.#send().catch(() => undefined)
    return this
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited like any promise
  then<Value = Answer, Failure = never>(
    onRows?: ((rows: Answer) => Value | PromiseLike<Value>) | null,
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#send().then(onRows, onFailure)
  }

  catch<Failure = never>(
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Answer | Failure> {
    return this.#send().catch(onFailure)
  }

  finally(onEnd?: (() => void) | null): Promise<Answer> {
    return this.#send().finally(onEnd)
  }

  #send(): Promise<Answer> {
    // The rows are what the author of the statement says they are.
    this.#rows ??= this.#start() as Promise<Answer>
    return this.#rows
  }

  #start(): Promise<Rows> {
    try {
      const writer = new StatementWriter()
      this.writeTo(writer)
      checkParameterCount(writer.values.length)
      return this.#run({
        text: writer.text,
        values: writer.values,
        isPrepared: this.#isPrepared,
        origin: () => origins.get(this.#texts) ?? '',
      })
    } catch (error) {
      return Promise.reject(error)
    }
  }
}

/**
 * One stack per template: that of its first use, since a stack costs more than the rest of a statement. A text, because an
 * error whose stack is not read yet holds on to the objects of all callers, and templates live as long as the process.
 */
const origins = new WeakMap<readonly string[], string>()

function captureOrigin(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 8
  const { stack = '' } = new Error('origin')
  Error.stackTraceLimit = limit
  return stack.split('\n').slice(4).join('\n')
}

class Name extends Fragment {
  readonly #text: string

  constructor(name: string) {
    super()
    this.#text = quoteName(name)
  }

  override writeTo(writer: StatementWriter): void {
    writer.text += this.#text
  }
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** What stands for a row or for values depends on the word before it. */
class RowsPart extends Fragment {
  readonly #rows: readonly unknown[]

  constructor(rows: object) {
    super()
    this.#rows = Array.isArray(rows) ? rows : [rows]
    for (const row of this.#rows) {
      if (isRecord(row)) for (const value of Object.values(row)) checkPart(value)
      else checkPart(row)
    }
  }

  override writeTo(writer: StatementWriter): void {
    const [first] = this.#rows
    if (/\bin\s*$/i.test(writer.text)) this.#writeList(writer)
    else if (isRecord(first) && /\bset\s*$/i.test(writer.text)) this.#writeAssignments(writer, first)
    else if (isRecord(first)) this.#writeInsert(writer, Object.keys(first))
    else throw new TypeError('Values stand after `in`, rows after `set` or in an insert')
  }

  #writeList(writer: StatementWriter): void {
    // `in ()` is no SQL; nothing is in it.
    if (this.#rows.length === 0) writer.text += '(null)'
    else this.#writeTuple(writer, this.#rows)
  }

  #writeAssignments(writer: StatementWriter, row: Record<string, unknown>): void {
    for (const [index, [name, value]] of Object.entries(row).entries()) {
      writer.text += `${index > 0 ? ', ' : ''}${quoteName(name)} = `
      writer.add(value)
    }
  }

  #writeInsert(writer: StatementWriter, names: string[]): void {
    writer.text += `(${names.map(quoteName).join(', ')}) values `
    for (const [index, row] of this.#rows.entries()) {
      if (index > 0) writer.text += ', '
      const record = isRecord(row) ? row : {}
      this.#writeTuple(
        writer,
        names.map((name) => record[name]),
      )
    }
  }

  #writeTuple(writer: StatementWriter, values: readonly unknown[]): void {
    writer.text += '('
    for (const [index, value] of values.entries()) {
      if (index > 0) writer.text += ', '
      checkPart(value)
      writer.add(value)
    }
    writer.text += ')'
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !(
    value instanceof Date ||
    value instanceof Uint8Array ||
    value instanceof JsonText ||
    value instanceof Fragment
  )
}

/** The tag over whatever runs statements. */
export function createSql(run: Run): Sql {
  const tag = (first: unknown, ...parts: unknown[]) => {
    if (Array.isArray(first) && 'raw' in first) return new Statement(first, parts, run, true)
    return typeof first === 'string' ? new Name(first) : new RowsPart(first as object)
  }
  const members: Pick<Sql, 'json' | 'unsafe'> = {
    json: (value) => new JsonText(value),
    unsafe: (text) => new Statement([text], [], run, false),
  }
  // The overloads of `Sql` are told apart by the first argument, as above.
  return Object.assign(tag, members) as unknown as Sql
}
