import { api } from '../../lib/api/api.ts'
import { asApiError } from '../../lib/api/api-error.ts'
import type { ApiRoutes } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'

type StartBody = ApiRoutes['POST /jobs/{id}/start']['optionalBody']
type RuleName = NonNullable<StartBody['set_aside']>[number]

interface FailedRule {
  rule: RuleName
  sentence: string
  may_be_set_aside: boolean
}

/**
 * Starts a job at its printer. Where the printer is equipped otherwise than the job needs, the person is told, and the start is asked for
 * again with what they set aside.
 */
export function useStartJob() {
  const confirm = useConfirm()
  return async (id: string, name: string): Promise<unknown> => {
    const start = (body: StartBody) => api.call('POST /jobs/{id}/start', { params: { id }, body })
    try {
      return await start({})
    } catch (error) {
      const { code, details } = asApiError(error)
      const rules = code === 'JOB_DOES_NOT_FIT' ? readRules(details) : []
      if (rules.length === 0 || !rules.every(({ may_be_set_aside }) => may_be_set_aside)) throw error
      const isSure = await confirm({
        title: t('The printer is not equipped for {name}. Print there anyway?', { name }),
        body: rules.map(({ sentence }) => sentence).join(' '),
        confirmLabel: t('Print anyway'),
        isDangerous: true,
      })
      if (!isSure) throw error
      return start({ set_aside: rules.map(({ rule }) => rule) })
    }
  }
}

function readRules(details: unknown): FailedRule[] {
  if (typeof details !== 'object' || details === null || !('rules' in details)) return []
  return Array.isArray(details.rules) ? details.rules : []
}
