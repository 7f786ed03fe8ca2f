import Type from 'typebox'
import { answer, oneOf, resource } from '../../http/schema.ts'
import { quotaNames } from '../../kernel/quotas.ts'

export const Usage = resource('Usage', 'Usage of each quota by the account', {
  quotas: Type.Array(
    answer({
      quota: oneOf(quotaNames, { description: 'Name of the quota' }),
      what: Type.String({ description: 'Counted things, for people', examples: ['jobs that are not over'] }),
      used: Type.Integer({ minimum: 0, description: 'Current number', examples: [12] }),
      limit: Type.Integer({ minimum: 0, description: 'Most that there may be', examples: [50_000] }),
    }),
    { description: 'One for each quota' },
  ),
})
