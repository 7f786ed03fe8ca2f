import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import type { DiscoveredPrinter } from '../../lib/api/api-schema.generated.ts'
import { families } from '../../lib/connections/connection-families.ts'
import { t } from '../../lib/i18n/t.ts'
import type { HubChoice } from './hub-input.tsx'

export interface Found {
  hub: HubChoice
  printer: DiscoveredPrinter
}

interface FoundChoiceProps {
  hubs: readonly HubChoice[]
  onChoose: (found: readonly Found[]) => void
}

/** Printers that hubs have found and that are not in the farm yet, one or several to be added. Nothing while there are none. */
export function FoundChoice({ hubs, onChoose }: FoundChoiceProps) {
  const lists = useQueries({
    queries: hubs
      .filter(({ is_online }) => is_online)
      .map((hub) => ({
        // Of the hub: what it finds is told by the stream.
        queryKey: ['hubs', 'discovered', hub.id, 'to-add'],
        queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Found[]> => {
          const query = { limit: 100 }
          const { rows } = await api.page('GET /hubs/{id}/discovered', { params: { id: hub.id }, query, signal })
          return rows.filter((row) => row.adopted_printer_id === null).map((printer) => ({ hub, printer }))
        },
      })),
  })
  const found = lists.flatMap(({ data }) => data ?? [])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  if (found.length === 0) return null
  const picked = found.filter(({ printer }) => chosen.has(printer.id))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <Stack gap="xs" component="fieldset" className="found-choice" aria-label={t('Found printers')}>
      <Text fw={650}>
        {t('{found, plural, one {# printer} other {# printers}} found on the network', { found: found.length })}
      </Text>
      {found.map(({ hub, printer }) => (
        <Checkbox
          key={printer.id}
          checked={chosen.has(printer.id)}
          onChange={() => toggle(printer.id)}
          label={printer.name}
          description={[families[printer.connection_type].label, printer.model, printer.address, hub.name]
            .filter(Boolean)
            .join(' · ')}
        />
      ))}
      {picked.length > 0 && (
        <Group>
          <Button onClick={() => onChoose(picked)}>
            {picked.length === 1
              ? t('Add {name}', { name: picked[0]?.printer.name ?? '' })
              : t('Add these {picked}, one after another', { picked: picked.length })}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
