import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { endSoon } from '../../http/request/end-soon.ts'
import { AppError, validationError } from '../../kernel/errors.ts'

/** What a slicer says beside the file. */
interface SlicerForm<T> {
  received: T
  print: boolean
  /** Which plate of an archive of several is meant, counted from 1; left out when the slicer names none. */
  plate?: number
}

/**
 * Reads the form of a slicer: one file in the field `file`, whose bytes go to `receive` as they come, and `print` and
 * `plateindex`, before it or after it. Other fields are dropped: `path`, because print files lie in no folders, and `select`.
 *
 * @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `VALIDATION_ERROR`, `UPLOAD_INCOMPLETE`, or what `receive` throws
 */
export async function readSlicerForm<T>(
  request: FastifyRequest,
  maxBytes: number,
  receive: (fileName: string, content: Readable) => Promise<T>,
): Promise<SlicerForm<T>> {
  const { raw } = request
  try {
    if (!request.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { expected: 'multipart/form-data' })
    let received: { value: T } | undefined
    let print = false
    let plate: number | undefined
    // A file that is cut at the limit would look whole, so it is one byte further away.
    const limits = { fileSize: maxBytes + 1, files: 2, fields: 20, fieldSize: 16 * 1024, parts: 22 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        if (part.fieldname === 'print') print = part.value === 'true'
        if (part.fieldname === 'plateindex') plate = plateIn(part.value)
        continue
      }
      if (part.fieldname !== 'file') throw validationError({ [part.fieldname]: ['is not an expected file'] })
      if (received) throw validationError({ file: ['must be a single file'] })
      received = { value: await receive(part.filename ?? '', part.file) }
    }
    if (!received) throw validationError({ file: ['is required'] })
    return { received: received.value, print, ...(plate !== undefined && { plate }) }
  } catch (error) {
    raw.unpipe()
    endSoon(raw)
    throw asFormError(error)
  }
}

/** OrcaSlicer names the plate of an archive, so that another one than the first can be meant. */
function plateIn(value: unknown): number {
  if (typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value)) return Number(value)
  throw validationError({ plateindex: ['must be the number of a plate, from 1'] })
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
