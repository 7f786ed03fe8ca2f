import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { BackupError } from './backup-error.ts'

/*
 * Form: `PYSEAL1\n`, 32 bytes of salt, then chunks. Each chunk is up to 64 KiB encrypted by AES-256-GCM, followed by its tag; all but
 * the last are full. The key of a stream follows from the master key, its salt and its purpose, so no two streams share one and none
 * opens as another. The nonce is the number of the chunk with a mark on the last, so chunks cannot be moved, left out or cut off.
 */

const magic = Buffer.from('PYSEAL1\n')
const saltBytes = 32
const tagBytes = 16
const chunkBytes = 64 * 1024

/** Encrypts what flows through. */
export function sealStream(master: Buffer, purpose: string): Transform {
  const salt = randomBytes(saltBytes)
  const key = keyOf(master, salt, purpose)
  const cut = new Cutter(chunkBytes)
  let number = 0
  const seal = (chunk: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
    number += 1
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
  let hasStarted = false
  const start = (stream: Transform) => {
    if (!hasStarted) stream.push(Buffer.concat([magic, salt]))
    hasStarted = true
  }
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      start(this)
      for (const chunk of cut.take(piece)) this.push(seal(chunk, false))
      done()
    },
    flush(done) {
      start(this)
      done(null, seal(cut.rest(), true))
    },
  })
}

/** Decrypts what flows through. Fails with `BACKUP_DAMAGED` for anything that was not sealed by this key for this purpose. */
export function openStream(master: Buffer, purpose: string): Transform {
  const cut = new Cutter(chunkBytes + tagBytes)
  let head = Buffer.alloc(0)
  let key: Buffer | undefined
  let number = 0
  const open = (chunk: Buffer, isLast: boolean) => {
    if (key === undefined || chunk.length < tagBytes) throw damaged(purpose)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: tagBytes })
    decipher.setAuthTag(chunk.subarray(-tagBytes))
    number += 1
    try {
      return Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()])
    } catch (error) {
      throw damaged(purpose, error)
    }
  }
  /** Answers what follows the head. */
  const readHead = (piece: Buffer): Buffer => {
    if (key !== undefined) return piece
    head = Buffer.concat([head, piece])
    if (head.length < magic.length + saltBytes) return Buffer.alloc(0)
    if (!head.subarray(0, magic.length).equals(magic)) throw damaged(purpose)
    key = keyOf(master, head.subarray(magic.length, magic.length + saltBytes), purpose)
    return head.subarray(magic.length + saltBytes)
  }
  const guarded = (done: TransformCallback, work: () => Buffer | undefined) => {
    try {
      done(null, work())
    } catch (error) {
      done(error instanceof Error ? error : damaged(purpose, error))
    }
  }
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      guarded(done, () => {
        for (const chunk of cut.take(readHead(piece))) this.push(open(chunk, false))
        return undefined
      })
    },
    flush(done) {
      guarded(done, () => open(cut.rest(), true))
    },
  })
}

function keyOf(master: Buffer, salt: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, salt, `printyard backup: ${purpose}`, 32))
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(isLast ? 1 : 0, 0)
  nonce.writeUInt32BE(number, 8)
  return nonce
}

function damaged(purpose: string, cause?: unknown): BackupError {
  return new BackupError('BACKUP_DAMAGED', `The encrypted part "${purpose}" is damaged or was changed.`, { cause })
}

/** Cuts bytes into pieces of one size. A full piece is handed out only when more follows, so the last is known as the last. */
class Cutter {
  readonly #size: number
  #held: Buffer[] = []
  #length = 0

  constructor(size: number) {
    this.#size = size
  }

  take(piece: Buffer): Buffer[] {
    this.#held.push(piece)
    this.#length += piece.length
    if (this.#length <= this.#size) return []
    const all = Buffer.concat(this.#held)
    const count = Math.floor((all.length - 1) / this.#size)
    this.#held = [all.subarray(count * this.#size)]
    this.#length = all.length - count * this.#size
    return Array.from({ length: count }, (_, index) => all.subarray(index * this.#size, (index + 1) * this.#size))
  }

  rest(): Buffer {
    return Buffer.concat(this.#held)
  }
}
