import type { Usage } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Facts } from '../../../ui/lists/facts.tsx'

/** How much of each quota is used. */
export function UsageFacts({ usage }: { usage: Usage }) {
  return (
    <Facts
      facts={usage.quotas.map(({ what, used, limit }) => {
        const words = serviceSentence(what)
        return [
          `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
          t('{used} of {limit}', { used: formatCount(used), limit: formatCount(limit) }),
        ]
      })}
    />
  )
}
