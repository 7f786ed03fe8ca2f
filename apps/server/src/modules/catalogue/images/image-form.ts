import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { tooLarge } from '../../../file-store/spool.ts'
import { endSoon } from '../../../http/request/end-soon.ts'
import { AppError, validationError } from '../../../kernel/errors.ts'

export const maxImageBytes = 5_000_000

/** What a form may have around its image: boundaries, headers, fields that no one asked for. */
const formOverheadBytes = 64 * 1024

const limits = {
  // One more than allowed: a file that is cut at the limit would look whole.
  fileSize: maxImageBytes + 1,
  files: 10,
  fields: 50,
  fieldSize: 16 * 1024,
  parts: 60,
}

/**
 * The bytes of the field `image` of a form. Other fields are dropped.
 *
 * @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE` as soon as it is known, or
 * `UPLOAD_INCOMPLETE`.
 */
export async function readImageForm(request: FastifyRequest): Promise<Buffer> {
  const { raw } = request
  try {
    if (!request.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { expected: 'multipart/form-data' })
    if (Number(raw.headers['content-length'] ?? 0) > maxImageBytes + formOverheadBytes) throw tooLarge(maxImageBytes)
    return await findImage(request)
  } catch (error) {
    raw.unpipe()
    endSoon(raw)
    throw error
  }
}

async function findImage(request: FastifyRequest): Promise<Buffer> {
  let image: Buffer | undefined
  for await (const part of partsOf(request)) {
    const bytes = part.type === 'file' ? await collect(part.file) : undefined
    if (part.fieldname !== 'image') continue
    if (bytes === undefined) throw validationError({ image: ['must be a file'] })
    if (image !== undefined) throw validationError({ image: ['must be a single file'] })
    image = bytes
  }
  if (image === undefined) throw validationError({ image: ['is required'] })
  return image
}

/** The parts of a form; whatever is wrong with its form is the caller's error. */
async function* partsOf(request: FastifyRequest) {
  try {
    yield* request.parts({ limits })
  } catch (error) {
    throw new AppError(
      'VALIDATION_ERROR',
      {},
      { details: { _root: ['must be a well-formed multipart/form-data body'] }, cause: error },
    )
  }
}

async function collect(file: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > maxImageBytes) throw tooLarge(maxImageBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('UPLOAD_INCOMPLETE', { received: sizeBytes, expected: 'an unknown number of' }, { cause: error })
  }
  return Buffer.concat(chunks)
}
