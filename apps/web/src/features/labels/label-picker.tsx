import { Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import type { ThingKind } from '../../lib/things.ts'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import type { LabelItem } from './label-items.ts'
import { thingListQuery } from './labels.api.ts'

const kinds: { value: ThingKind; label: string; none: string }[] = [
  { value: 'printer', label: t('Printers'), none: t('No printer is there, or none matches.') },
  { value: 'spool', label: t('Spools'), none: t('No spool is there, or none matches.') },
  { value: 'bin', label: t('Stock'), none: t('Nothing is in stock, or nothing matches.') },
  { value: 'order', label: t('Orders'), none: t('No order is there, or none matches.') },
]

interface LabelPickerProps {
  items: readonly LabelItem[]
  onChange: (items: readonly LabelItem[]) => void
}

/** Chooses what to print labels for. */
export function LabelPicker({ items, onChange }: LabelPickerProps) {
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<ThingKind>('printer')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const things = useQuery(thingListQuery(kind, search, queryClient))
  const chosen = new Set(items.map(({ id }) => id))
  return (
    <Panel title={t('What to label')}>
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            className="label-kinds"
            aria-label={t('Kind of thing')}
            data={kinds.map(({ value, label }) => ({ value, label }))}
            value={kind}
            onChange={(text) => setKind(kinds.find(({ value }) => value === text)?.value ?? 'printer')}
          />
          <TextInput
            aria-label={t('Search')}
            placeholder={t('Search')}
            leftSection={<Icon name="search" size={16} />}
            maxLength={120}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </Group>
        <QueryView query={things} failed={t('The list could not be read')}>
          {(rows) =>
            rows.length === 0 ? (
              <Text c="dimmed">{kinds.find(({ value }) => value === kind)?.none}</Text>
            ) : (
              <Stack gap={6}>
                {rows.map((thing) => (
                  <Checkbox
                    key={thing.id}
                    label={thing.detail === '' ? thing.name : `${thing.name} (${thing.detail})`}
                    checked={chosen.has(thing.id)}
                    onChange={({ currentTarget }) =>
                      onChange(
                        currentTarget.checked
                          ? [...items, { kind: thing.kind, id: thing.id }]
                          : items.filter(({ id }) => id !== thing.id),
                      )
                    }
                  />
                ))}
                {rows.some(({ id }) => !chosen.has(id)) && (
                  <Button
                    variant="default"
                    onClick={() =>
                      onChange([...items, ...rows.filter(({ id }) => !chosen.has(id)).map((row) => ({ ...row }))])
                    }
                  >
                    {t('Take all {rows}', { rows: rows.length })}
                  </Button>
                )}
              </Stack>
            )
          }
        </QueryView>
      </Stack>
    </Panel>
  )
}
