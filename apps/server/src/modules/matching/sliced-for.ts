import { AppError } from '../../kernel/errors.ts'
import { isSameModel } from '../printers/models/printer-models.ts'

/** True when a file is sliced for the model of a printer, or for none in particular. */
export function isSlicedFor(model: string, fileModel: string | null, isSame = isSameModel): boolean {
  return fileModel === null || isSame(model, fileModel)
}

/** Keeps a job from a printer of another model. @throws AppError `PRINTER_MODEL_MISMATCH` */
export function refuseOtherModel(model: string, fileModel: string | null): void {
  if (!isSlicedFor(model, fileModel)) throw otherModel(model, fileModel)
}

export function otherModel(model: string, fileModel: string | null): AppError {
  return new AppError('PRINTER_MODEL_MISMATCH', { file_model: fileModel ?? '', printer_model: model })
}
