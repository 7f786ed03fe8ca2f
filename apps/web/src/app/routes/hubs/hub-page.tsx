import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AddPrinterDialog } from '../../../features/add-printer/add-printer-dialog.tsx'
import { FoundPrinters } from '../../../features/hubs/found-printers.tsx'
import { HubFacts, HubProblems } from '../../../features/hubs/hub-facts.tsx'
import { HubMenu } from '../../../features/hubs/hub-menu.tsx'
import { HubBadge } from '../../../features/hubs/hub-table.tsx'
import { everyHubQuery, hubQuery } from '../../../features/hubs/hubs.api.ts'
import { presentPrinterStatus } from '../../../features/printers/printer-state.ts'
import type { DiscoveredPrinter, Hub } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import '../../../features/hubs/found-printer.css'

const route = getRouteApi('/member/shell/hubs/$hubId')

export function HubPage() {
  const { hubId } = route.useParams()
  const navigate = useNavigate()
  const mayChange = useMay('write')
  const [adding, setAdding] = useState<{ found: DiscoveredPrinter | undefined }>()
  const found = useQuery(hubQuery(hubId))
  // Only the list tells what is wrong with hubs.
  const health = useQuery(everyHubQuery()).data?.find(({ id }) => id === hubId)?.health ?? []
  return (
    <QueryView query={found} failed={t('The hub could not be read')}>
      {(hub) => (
        <>
          <PageHeader
            title={hub.name}
            description={<LinkText to="/hubs">{t('Hubs')}</LinkText>}
            badge={<HubBadge hub={hub} />}
            actions={mayChange && <HubMenu hub={hub} onRemoved={() => void navigate({ to: '/hubs' })} />}
          />
          <HubProblems hub={hub} health={health} />
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <AttachedPrinters hub={hub} />
              <HubFacts hub={hub} />
            </SimpleGrid>
            <FoundPrinters hub={hub} onAdd={(found) => setAdding({ found })} />
          </Stack>
          {adding && (
            <AddPrinterDialog
              hub={hub}
              found={adding.found}
              onCancel={() => setAdding(undefined)}
              onDone={() => setAdding(undefined)}
            />
          )}
        </>
      )}
    </QueryView>
  )
}

function AttachedPrinters({ hub: { printers } }: { hub: Hub }) {
  return (
    <Panel title={t('{printers, plural, one {# printer} other {# printers}}', { printers: printers.length })}>
      {printers.length === 0 && <Text c="dimmed">{t('No printer is attached to it yet. Adopt one below.')}</Text>}
      <ul className="plain-list" aria-label={t('Printers of this hub')}>
        {printers.map(({ id, name, model, status }) => {
          const { tone, word } = presentPrinterStatus(status)
          return (
            <li key={id} className="found-printer">
              <span>
                <LinkText to="/printers/$printerId" params={{ printerId: id }}>
                  {name}
                </LinkText>{' '}
                <Text span size="sm" c="dimmed">
                  {model}
                </Text>
              </span>
              <StatusBadge tone={tone}>{word}</StatusBadge>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
