import { validationError } from '../../kernel/errors.ts'

/** The longest way through folders, with its slashes. */
export const longestFolder = 200

/**
 * A folder as it is stored: `Brackets/2026`, without spaces at the ends of its names. Empty for none.
 *
 * @throws AppError `VALIDATION_ERROR` for a name that is empty
 */
export function readFolder(text: string): string {
  if (text.trim() === '') return ''
  const names = text.split('/').map((name) => name.trim())
  if (names.includes('')) throw validationError({ folder: ['has an empty name: write it as Brackets/2026'] })
  return names.join('/')
}
