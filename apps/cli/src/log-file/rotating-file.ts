import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

interface RotationLimits {
  maxBytes: number
  /** Files in all: the one that is written, `FILE.1`, `FILE.2` and so on. */
  files: number
}

interface FileReports {
  /** Called once for each time that the file cannot be written, until it can be again. */
  onFailure(error: Error): void
  /** The line that says so in the file itself, once it can be written again. */
  lostLine(count: number): string
}

const writeBytes = promisify(write)

/** Lines that wait for a slow disk; what comes on top is lost, and counted. */
const mostWaitingBytes = 4 * 1024 * 1024
const batchBytes = 256 * 1024
const retryMs = 5_000

/**
 * A file of lines that never grows beyond its limits. Lines are written in the background, so that a slow disk holds up
 * no one, and in whole batches, so that a process that is killed leaves at most its last line torn. A disk that is full costs lines, never the
 * process.
 */
export class RotatingFile {
  readonly #path: string
  readonly #limits: RotationLimits
  readonly #reports: FileReports
  #fd: number | undefined
  #size = 0
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #lost = 0
  #turn: Promise<void> | undefined
  #retryAt = 0
  #retry: NodeJS.Timeout | undefined
  readonly #onExit = () => this.#writeRest()

  /** Opens the file, and removes older ones that are more than the limit. @throws the error of the system */
  constructor(path: string, limits: RotationLimits, reports: FileReports) {
    this.#path = path
    this.#limits = limits
    this.#reports = reports
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    this.#open()
    this.#removeSurplus()
    process.on('exit', this.#onExit)
  }

  /** Takes a line with its end; never waits and never fails. */
  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#waitingBytes + bytes.length > mostWaitingBytes) {
      this.#lost += 1
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#begin()
  }

  /** Writes what waits, as far as it can be written, and closes the file. */
  async close(): Promise<void> {
    clearTimeout(this.#retry)
    this.#retryAt = 0
    this.#begin()
    await this.#turn
    this.#writeRest()
    process.off('exit', this.#onExit)
    this.#closeFile()
  }

  #closeFile(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  #begin(): void {
    if (this.#turn !== undefined || performance.now() < this.#retryAt) return
    this.#turn = this.#writeAll().finally(() => {
      this.#turn = undefined
    })
  }

  async #writeAll(): Promise<void> {
    // What is logged in the same turn of the loop goes into one write.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const { bytes, lines } = this.#takeBatch()
      try {
        await this.#append(bytes)
        this.#retryAt = 0
      } catch (error) {
        this.#lost += lines
        // What was written of a line is ended when the file is opened again.
        this.#closeFile()
        const isFirst = this.#retryAt === 0
        this.#retryAt = performance.now() + retryMs
        if (isFirst) this.#reports.onFailure(error as Error)
        this.#retry = setTimeout(() => this.#begin(), retryMs).unref()
        return
      }
    }
  }

  #takeBatch(): { bytes: Buffer; lines: number } {
    const taken: Buffer[] = []
    let size = 0
    // A file is filled up to its limit, by whole lines.
    const room = this.#size >= this.#limits.maxBytes ? this.#limits.maxBytes : this.#limits.maxBytes - this.#size
    for (const line of this.#waiting) {
      if (taken.length > 0 && size + line.length > Math.min(batchBytes, room)) break
      taken.push(line)
      size += line.length
    }
    this.#waiting = this.#waiting.slice(taken.length)
    this.#waitingBytes -= size
    return { bytes: Buffer.concat(taken), lines: taken.length }
  }

  async #append(bytes: Buffer): Promise<void> {
    const fd = this.#fd ?? this.#open()
    if (this.#size > 0 && this.#size + bytes.length > this.#limits.maxBytes)
      return await this.#appendTo(this.#rotate(), bytes)
    await this.#appendTo(fd, bytes)
  }

  async #appendTo(fd: number, bytes: Buffer): Promise<void> {
    const lost = this.#lost
    const all = lost > 0 ? Buffer.concat([Buffer.from(this.#reports.lostLine(lost)), bytes]) : bytes
    for (let done = 0; done < all.length; ) {
      const { bytesWritten } = await writeBytes(fd, all, done)
      done += bytesWritten
      this.#size += bytesWritten
    }
    this.#lost -= lost
  }

  /** Moves every file on by one. Killed half way, it leaves a number out, which the next rotation fills. */
  #rotate(): number {
    this.#closeFile()
    const last = this.#limits.files - 1
    rmSync(last === 0 ? this.#path : `${this.#path}.${last}`, { force: true })
    for (let number = last - 1; number >= 0; number -= 1) {
      const from = number === 0 ? this.#path : `${this.#path}.${number}`
      try {
        renameSync(from, `${this.#path}.${number + 1}`)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
    return this.#open()
  }

  #open(): number {
    const fd = openSync(this.#path, 'a+', 0o600)
    this.#size = fstatSync(fd).size
    const end = Buffer.alloc(1)
    // The last line of a process that was killed may be torn.
    if (this.#size > 0 && readSync(fd, end, 0, 1, this.#size - 1) === 1 && end[0] !== 0x0a) {
      this.#size += writeSync(fd, '\n')
    }
    this.#fd = fd
    return fd
  }

  #removeSurplus(): void {
    const folder = dirname(this.#path)
    const prefix = `${basename(this.#path)}.`
    for (const name of readdirSync(folder)) {
      const number = name.startsWith(prefix) ? name.slice(prefix.length) : ''
      if (/^\d{1,4}$/.test(number) && Number(number) >= this.#limits.files) rmSync(join(folder, name), { force: true })
    }
  }

  /** The last words of a process that ends at once. */
  #writeRest(): void {
    if (this.#fd === undefined || this.#waiting.length === 0) return
    try {
      writeSync(this.#fd, Buffer.concat(this.#waiting))
    } catch (error) {
      this.#reports.onFailure(error as Error)
    }
    this.#waiting = []
    this.#waitingBytes = 0
  }
}
