import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError, validationError } from '../../errors.ts'
import { endSoon } from '../files/end-soon.ts'
import { destroyWhenStalled } from '../files/stalled-upload.ts'

const stallIntervalMs = 60_000

/**
 * Reads the form of a slicer: one file in the field `file`, whose bytes go to `receive` as they come, and `print`, before it
 * or after it. Other fields are dropped: `path`, because print files lie in no folders, and `select`.
 *
 * @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `VALIDATION_ERROR`, `UPLOAD_INCOMPLETE`, or what `receive` throws
 */
export async function readSlicerForm<T>(
  request: FastifyRequest,
  maxBytes: number,
  receive: (fileName: string, content: Readable) => Promise<T>,
): Promise<{ received: T; print: boolean }> {
  const { raw } = request
  try {
    if (!request.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { expected: 'multipart/form-data' })
    destroyWhenStalled(raw, () => raw.socket.bytesRead, stallIntervalMs)
    let received: { value: T } | undefined
    let print = false
    // A file that is cut at the limit would look whole, so it is one byte further away.
    const limits = { fileSize: maxBytes + 1, files: 2, fields: 20, fieldSize: 16 * 1024, parts: 22 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        if (part.fieldname === 'print') print = part.value === 'true'
        continue
      }
      if (part.fieldname !== 'file') throw validationError({ [part.fieldname]: ['is a file that nobody asked for'] })
      if (received) throw validationError({ file: ['must be a single file'] })
      received = { value: await receive(part.filename ?? '', part.file) }
    }
    if (!received) throw validationError({ file: ['is required'] })
    return { received: received.value, print }
  } catch (error) {
    raw.unpipe()
    endSoon(raw)
    throw asFormError(error)
  }
}

function asFormError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code } = error as NodeJS.ErrnoException
  // What the parser says of the form, and of a form that ends too early.
  const isForm = code?.startsWith('FST_') === true || (error instanceof Error && /form|multipart/i.test(error.message))
  if (!isForm) return error
  return new AppError(
    'VALIDATION_ERROR',
    {},
    { details: { _root: ['must be a well-formed multipart/form-data body'] }, cause: error },
  )
}
