import type { CrealityFields } from './creality-state.ts'

/** Folder in which the models keep their files. */
const gcodeFolder = '/usr/data/printer_data/gcodes'
const gcodeFolderOfK2 = '/mnt/UDISK/printer_data/gcodes'
const modelsOfK2 = /F008|F012|F021|\bK2\b/i

/** True for the K2 family, by its name or the codes that it announces. */
export function isOfK2({ model, modelVersion }: CrealityFields): boolean {
  return modelsOfK2.test(`${model} ${modelVersion}`)
}

export function gcodeFolderOf(fields: CrealityFields): string {
  return isOfK2(fields) ? gcodeFolderOfK2 : gcodeFolder
}
