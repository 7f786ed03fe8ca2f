import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { spoolmanQuery, usagesQuery } from '../../../features/settings/spoolman/spoolman.api.ts'
import { SpoolmanForm } from '../../../features/settings/spoolman/spoolman-form.tsx'
import { SpoolmanFacts } from '../../../features/settings/spoolman/spoolman-state.tsx'
import { UsageTable } from '../../../features/settings/spoolman/usage-table.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function SpoolmanPage() {
  return useMay('admin') ? (
    <Spoolman />
  ) : (
    <>
      <PageHeader title={t('Spoolman')} />
      <NoPermission />
    </>
  )
}

function Spoolman() {
  const query = useQuery(spoolmanQuery())
  return (
    <>
      <PageHeader
        title={t('Spoolman')}
        description={t('Spools come from your Spoolman with their filaments and vendors, and usage is reported to it.')}
      />
      <QueryView query={query} failed={t('The connection to Spoolman could not be read')}>
        {({ connection }) => (
          <Stack>
            {connection !== null && (
              <Panel title={t('State')}>
                <SpoolmanFacts connection={connection} />
              </Panel>
            )}
            {connection !== null && <ToDecide />}
            <Panel title={t('Connection')}>
              {connection === null && (
                <Text mb="sm">
                  {t('No Spoolman is connected: spools are kept here alone, and what prints use is booked on them.')}
                </Text>
              )}
              <SpoolmanForm key={connection?.updated_at ?? 'none'} connection={connection} />
            </Panel>
          </Stack>
        )}
      </QueryView>
    </>
  )
}

function ToDecide() {
  const { data: usages = [] } = useQuery(usagesQuery())
  if (usages.length === 0) return null
  return (
    <Panel title={t('Usage to decide on')}>
      <UsageTable usages={usages} />
    </Panel>
  )
}
