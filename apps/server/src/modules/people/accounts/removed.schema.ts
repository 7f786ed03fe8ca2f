import Type from 'typebox'
import { answer } from '../../../http/schema.ts'

export const Removed = answer(
  {
    id: Type.String({ description: 'ID of what was removed', examples: ['mem_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
    deleted: Type.Boolean({ description: 'Always true' }),
  },
  { description: 'Deleted' },
)
