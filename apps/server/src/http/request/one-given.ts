import { validationError } from '../../kernel/errors.ts'

/**
 * The value of a field that goes by two names, of which one is sent.
 *
 * @throws AppError VALIDATION_ERROR for neither, under the first name, and for both.
 */
export function oneGiven<Name extends string, Value>(
  body: { [Each in Name]?: Value | undefined },
  name: Name,
  otherName: Name,
): Value {
  const [value, other] = [body[name], body[otherName]]
  if (value !== undefined && other !== undefined) throw validationError({ [otherName]: [`excludes ${name}`] })
  const given = value ?? other
  if (given === undefined) throw validationError({ [name]: ['is required'] })
  return given
}
