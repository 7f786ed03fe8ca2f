import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ChannelsPanel } from '../../../features/settings/notifications/channels-panel.tsx'
import { DevicesPanel } from '../../../features/settings/notifications/devices-panel.tsx'
import { LogPanel } from '../../../features/settings/notifications/log-panel.tsx'
import { ruleListQuery } from '../../../features/settings/notifications/notifications.api.ts'
import { RulesPanel } from '../../../features/settings/notifications/rules-panel.tsx'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { useMemberNames } from '../use-member-names.ts'
import { useFarmChoices } from './use-farm-choices.ts'

const route = getRouteApi('/member/shell/settings/notifications')

/** Each member's own devices, and for those who run the account where and what it tells. */
export function NotificationsPage() {
  const isManager = useMay('admin')
  const memberNames = useMemberNames()
  return (
    <>
      <PageHeader
        title={t('Notifications')}
        description={t('Notifications when something needs a person: who gets them, and where.')}
      />
      <Stack>
        <DevicesPanel />
        {isManager && <ManagedPanels memberNames={memberNames} />}
      </Stack>
    </>
  )
}

function ManagedPanels({ memberNames }: { memberNames: ReadonlyMap<string, string> }) {
  const { sent } = route.useSearch()
  const navigate = route.useNavigate()
  const rules = rowsOf(useInfiniteQuery(ruleListQuery()).data) ?? []
  const farm = useFarmChoices(rules.flatMap((rule) => rule.product_ids))
  return (
    <>
      <RulesPanel memberNames={memberNames} farm={farm} />
      <ChannelsPanel memberNames={memberNames} />
      <LogPanel
        state={sent}
        onState={(state) => void navigate({ search: state === undefined ? {} : { sent: state }, replace: true })}
      />
    </>
  )
}
