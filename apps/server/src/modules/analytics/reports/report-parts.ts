import Type from 'typebox'
import { formatQuery } from '../../../http/csv.ts'
import { answer, oneOf } from '../../../http/schema.ts'

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'date-time', maxLength: 10, description }))

export const daysQuery = {
  from: day('First day, as 2026-11-20; default: 29 days before the last'),
  to: day('Last day, as 2026-11-20; default: today by the time zone of the account'),
  format: formatQuery,
}

/** What the rows of a CSV stand for. */
export const rowsBy = <const T extends readonly string[]>(values: T) =>
  Type.Optional(oneOf(values, { description: `Subject of each row of the CSV. Default: ${values[0]}` }))

export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description}, in %` })
export const date = Type.String({ format: 'date', description: 'The day', examples: ['2026-11-20'] })

export const dateRange = answer(
  {
    from: Type.String({ format: 'date', description: 'First day', examples: ['2026-10-22'] }),
    to: Type.String({ format: 'date', description: 'Last day', examples: ['2026-11-20'] }),
  },
  { description: 'The days that the figures are for, by the time zone of the account' },
)
