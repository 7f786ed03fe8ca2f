import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { StoredContents } from './file-store.ts'
import { brief, type S3Client, tagsOf } from './s3-client.ts'
import { asUnavailable, S3Error } from './s3-error.ts'

/** The smallest that every store accepts is 5 MiB; 10,000 of these are more than the largest file that the settings allow. */
export const defaultPartBytes = 8 * 1024 * 1024

/** Parts of one upload that are on their way at once: with the one that is being read, what an upload takes of the memory. */
const partsInFlight = 2

/** Time that a signed URL opens a content: what began by then goes on to its end. */
const signedForSeconds = 300

const keyOf = (sha256: string) => `${sha256.slice(0, 2)}/${sha256}`
const keyForm = /^([0-9a-f]{2})\/(\1[0-9a-f]{62})$/

/** Contents in a bucket, by the same names as in the folder of a file store on a machine: one can be copied into the other. */
export function openS3Contents(client: S3Client, { partBytes = defaultPartBytes } = {}): S3Contents {
  return new S3Contents(client, partBytes)
}

class S3Contents implements StoredContents {
  readonly #client: S3Client
  readonly #partBytes: number

  constructor(client: S3Client, partBytes: number) {
    this.#client = client
    this.#partBytes = partBytes
  }

  sizeOf(sha256: string): Promise<number | undefined> {
    return this.#sizeAt(keyOf(sha256))
  }

  async #sizeAt(key: string): Promise<number | undefined> {
    try {
      const { header } = await this.#client.sendForHeaders({ method: 'HEAD', key, ...brief })
      return Number(header('content-length'))
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return undefined
      throw asUnavailable(error)
    }
  }

  async read(
    sha256: string,
    range?: { start: number; end: number },
  ): Promise<{ content: Readable; sizeBytes: number }> {
    try {
      const { body, status, header } = await this.#client.send({
        method: 'GET',
        key: keyOf(sha256),
        ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }),
      })
      if (range !== undefined && status !== 206) {
        body.destroy()
        throw new S3Error(status, 'RangeIgnored', 'a range was asked for, and the whole was sent')
      }
      const total = range === undefined ? header('content-length') : header('content-range')?.split('/')[1]
      return { content: body, sizeBytes: Number(total) }
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  /** See `FileStore.signedUrl`. @param endpoint where those reach the store who are given it */
  signedUrl(endpoint: string, sha256: string, disposition: string): string {
    const answered = {
      'response-content-disposition': disposition,
      'response-content-type': 'application/octet-stream',
    }
    return this.#client.signedUrl(endpoint, keyOf(sha256), answered, signedForSeconds)
  }

  add(sha256: string, content: Readable): Promise<boolean> {
    return this.put(keyOf(sha256), sha256, content)
  }

  /** Stores a content under a key of the caller's choice; answers whether it is what its hash says, as `add` does. */
  async put(key: string, sha256: string, content: Readable): Promise<boolean> {
    const hash = createHash('sha256')
    const parts = inParts(content, this.#partBytes)
    try {
      const first = (await parts.next()).value ?? Buffer.alloc(0)
      hash.update(first)
      if (first.length >= this.#partBytes) return await this.#addInParts(key, sha256, first, parts, hash)
      if (hash.digest('hex') !== sha256) return false
      await this.#client.sendForHeaders({ method: 'PUT', key, body: first })
      return true
    } catch (error) {
      throw asUnavailable(error)
    } finally {
      content.destroy()
    }
  }

  async #addInParts(
    key: string,
    sha256: string,
    first: Buffer,
    parts: AsyncIterator<Buffer>,
    hash: ReturnType<typeof createHash>,
  ): Promise<boolean> {
    const opened = await this.#client.sendForText({ method: 'POST', key, query: { uploads: '' } })
    const [uploadId] = tagsOf(opened, 'UploadId')
    if (!uploadId) throw new S3Error(200, 'NoUploadId', 'an upload was started without an ID')
    let isDone = false
    try {
      const { etags, sizeBytes } = await this.#sendParts(key, uploadId, first, parts, hash)
      if (hash.digest('hex') !== sha256) return false
      await this.#complete(key, uploadId, etags, sizeBytes)
      isDone = true
      return true
    } finally {
      if (!isDone) await this.#abort(key, uploadId)
    }
  }

  async #sendParts(
    key: string,
    upload: string,
    first: Buffer,
    parts: AsyncIterator<Buffer>,
    hash: ReturnType<typeof createHash>,
  ): Promise<{ etags: string[]; sizeBytes: number }> {
    const etags: string[] = []
    const inFlight = new Set<Promise<void>>()
    let failure: { error: unknown } | undefined
    let sizeBytes = 0
    const send = async (body: Buffer, number: number) => {
      const query = { partNumber: String(number), uploadId: upload }
      const { header } = await this.#client.sendForHeaders({ method: 'PUT', key, query, body })
      etags[number - 1] = header('etag') ?? ''
    }
    for (let part: Buffer | undefined = first, number = 1; part !== undefined; number += 1) {
      sizeBytes += part.length
      const sending = send(part, number)
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => inFlight.delete(sending))
      inFlight.add(sending)
      if (inFlight.size >= partsInFlight) await Promise.race(inFlight)
      if (failure) break
      part = (await parts.next()).value
      if (part !== undefined) hash.update(part)
    }
    await Promise.all(inFlight)
    if (failure) throw failure.error
    return { etags, sizeBytes }
  }

  /** Answers whether it was done is asked again when the answer was lost: the second time there is no such upload any more. */
  async #complete(key: string, upload: string, etags: string[], sizeBytes: number): Promise<void> {
    const list = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
    try {
      await this.#client.sendForText({ method: 'POST', key, query: { uploadId: upload }, body })
    } catch (error) {
      const stored = await this.#sizeAt(key).catch(() => undefined)
      if (stored !== sizeBytes) throw error
    }
  }

  /** What fails here was told already, or is found by `removeAbandoned`. */
  async #abort(key: string, upload: string): Promise<void> {
    await this.#client
      .sendForHeaders({ method: 'DELETE', key, query: { uploadId: upload }, tries: 2 })
      .catch(() => undefined)
  }

  async remove(sha256: string): Promise<void> {
    try {
      await this.#client.sendForHeaders({ method: 'DELETE', key: keyOf(sha256), ...brief })
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return
      throw asUnavailable(error)
    }
  }

  async *listPages(): AsyncIterable<string[]> {
    for await (const page of this.listSized()) yield page.map(({ sha256 }) => sha256)
  }

  async *listSized(): AsyncIterable<{ sha256: string; sizeBytes: number }[]> {
    let query: Record<string, string> | undefined = { 'list-type': '2', 'max-keys': '1000' }
    while (query !== undefined) {
      const page: string = await this.#client.sendForText({ method: 'GET', query }).catch((error: unknown) => {
        throw asUnavailable(error)
      })
      const contents = [...page.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, entry = '']) => {
        const sha256 = keyForm.exec(tagsOf(entry, 'Key')[0] ?? '')?.[2]
        return sha256 === undefined ? [] : { sha256, sizeBytes: Number(tagsOf(entry, 'Size')[0]) }
      })
      if (contents.length > 0) yield contents
      const [token] = tagsOf(page, 'NextContinuationToken')
      query = token ? { 'list-type': '2', 'max-keys': '1000', 'continuation-token': token } : undefined
    }
  }

  /** Ends uploads in parts that were started before a moment: their parts take room, and no list shows them. */
  async removeAbandoned(before: Date): Promise<void> {
    const page = await this.#client.sendForText({ method: 'GET', query: { uploads: '' } }).catch((error: unknown) => {
      // Some stores have no such list and end uploads by themselves.
      if (error instanceof S3Error && error.code === 'NotImplemented') return ''
      throw asUnavailable(error)
    })
    for (const [, upload = ''] of page.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
      const [key] = tagsOf(upload, 'Key')
      const [uploadId] = tagsOf(upload, 'UploadId')
      const [started = ''] = tagsOf(upload, 'Initiated')
      if (key && uploadId && keyForm.test(key) && new Date(started) < before) await this.#abort(key, uploadId)
    }
  }
}

/** A stream in buffers of one size; the last may be smaller. */
async function* inParts(content: Readable, partBytes: number): AsyncGenerator<Buffer, undefined> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const piece of content as AsyncIterable<Buffer>) {
    let chunk = piece
    while (bytes + chunk.length >= partBytes) {
      const taken = partBytes - bytes
      chunks.push(chunk.subarray(0, taken))
      yield Buffer.concat(chunks)
      chunks = []
      bytes = 0
      chunk = chunk.subarray(taken)
    }
    if (chunk.length > 0) chunks.push(chunk)
    bytes += chunk.length
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}
