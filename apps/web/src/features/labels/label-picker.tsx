import { Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { t } from '../../lib/i18n/t.ts'
import type { ThingKind } from '../../lib/things.ts'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { type LabelChoice, readLabelChoice } from './label-choice.ts'
import type { LabelItem } from './label-items.ts'
import { thingListQuery } from './labels.api.ts'

const kinds: { value: ThingKind; label: string; none: string }[] = [
  { value: 'printer', label: t('Printers'), none: t('No printer yet') },
  { value: 'spool', label: t('Spools'), none: t('No spool yet') },
  { value: 'bin', label: t('Stock'), none: t('No stock yet') },
  { value: 'order', label: t('Orders'), none: t('No order yet') },
]

interface LabelPickerProps {
  items: readonly LabelItem[]
  onChange: (items: readonly LabelItem[]) => void
  choice: LabelChoice
  onChoice: (choice: LabelChoice) => void
}

/** Chooses what to print labels for. */
export function LabelPicker({ items, onChange, choice, onChoice }: LabelPickerProps) {
  const queryClient = useQueryClient()
  const { kind = 'printer', search = '' } = choice
  const things = useQuery(thingListQuery(kind, search, queryClient))
  const chosen = new Set(items.map(({ id }) => id))
  return (
    <Panel title={t('Items to label')}>
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            className="label-kinds"
            aria-label={t('Kind of thing')}
            data={kinds.map(({ value, label }) => ({ value, label }))}
            value={kind}
            onChange={(text) => onChoice(readLabelChoice({ kind: text, search }))}
          />
          <SearchField
            aria-label={t('Search')}
            placeholder={t('Search')}
            value={search}
            onSearch={(text) => onChoice(readLabelChoice({ kind, search: text }))}
          />
        </Group>
        <QueryView query={things} failed={t('The list could not be read')}>
          {(rows) =>
            rows.length === 0 && search !== '' ? (
              <Group>
                <Text c="dimmed">{t('Nothing has “{search}” in its name', { search })}</Text>
                <Button size="xs" variant="default" onClick={() => onChoice(readLabelChoice({ kind }))}>
                  {t('Show all')}
                </Button>
              </Group>
            ) : rows.length === 0 ? (
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
