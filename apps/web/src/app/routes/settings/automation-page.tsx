import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { automationRuleListQuery } from '../../../features/settings/automation/automation.api.ts'
import { AutomationRulesPanel } from '../../../features/settings/automation/rules-panel.tsx'
import { RunsPanel } from '../../../features/settings/automation/runs-panel.tsx'
import { channelListQuery } from '../../../features/settings/notifications/notifications.api.ts'
import { webhookListQuery } from '../../../features/settings/webhooks/webhooks.api.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { useFarmChoices } from './use-farm-choices.ts'

const route = getRouteApi('/member/shell/settings/automation')

/** What the farm does by itself when something happens. */
export function AutomationPage() {
  return useMay('admin') ? (
    <Automation />
  ) : (
    <>
      <PageHeader title={t('Automation')} />
      <NoPermission />
    </>
  )
}

function Automation() {
  const { outcome } = route.useSearch()
  const navigate = route.useNavigate()
  const rules = rowsOf(useInfiniteQuery(automationRuleListQuery()).data) ?? []
  const farm = useFarmChoices(rules.flatMap((rule) => rule.product_ids))
  const channels = rowsOf(useInfiniteQuery(channelListQuery()).data) ?? []
  const webhooks = rowsOf(useInfiniteQuery(webhookListQuery()).data) ?? []
  const receivers = {
    channels: channels.map(({ id, name }) => ({ value: id, label: name })),
    webhooks: webhooks.map(({ id, description, url }) => ({ value: id, label: description || url })),
  }
  return (
    <>
      <PageHeader
        title={t('Automation')}
        description={t('Rules by which the farm acts by itself when something happens.')}
      />
      <Stack>
        <AutomationRulesPanel choices={{ farm, receivers }} />
        <RunsPanel
          outcome={outcome}
          onOutcome={(next) => void navigate({ search: next === undefined ? {} : { outcome: next }, replace: true })}
        />
      </Stack>
    </>
  )
}
