import { ActionIcon, Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { inSentence } from '../../../lib/i18n/in-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { componentChoicesQuery, packagingChoicesQuery } from '../products.api.ts'

export interface MaterialLine {
  inventory_item_id: string | null
  quantity_required: number
}

interface MaterialLinesProps<Line extends MaterialLine> {
  /** What the lines are for, to tell their fields from others: `Components`. */
  label: string
  lines: readonly Line[]
  onChange: (lines: Line[]) => void
  /** A line before anything is chosen. */
  empty: Line
  addLabel: string
}

/** Lines that name components and packaging, each with how many of it. */
export function MaterialLines<Line extends MaterialLine>(props: MaterialLinesProps<Line>) {
  const { label, lines, onChange, empty, addLabel } = props
  const components = useQuery(componentChoicesQuery()).data ?? []
  const packaging = useQuery(packagingChoicesQuery()).data ?? []
  const set = (index: number, changes: Partial<MaterialLine>) =>
    onChange(lines.with(index, { ...(lines[index] ?? empty), ...changes }))
  const isEmpty = components.length + packaging.length === 0
  return (
    <Stack gap="xs">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and are taken out by their place.
        <Group key={index} align="end" gap="xs" wrap="nowrap">
          <Select
            label={t('{label}, line {index}', { label, index: index + 1 })}
            placeholder={t('Choose a part or component')}
            flex={1}
            data={[
              { group: t('Components'), items: components.map(optionOf) },
              { group: t('Packaging'), items: packaging.map(optionOf) },
            ]}
            value={line.inventory_item_id}
            onChange={(id) => set(index, { inventory_item_id: id })}
            nothingFoundMessage={t('No part or component of this name')}
            searchable
          />
          <NumberInput
            label={t('Each takes')}
            w="6rem"
            min={1}
            max={2000}
            allowDecimal={false}
            value={line.quantity_required}
            onChange={(value) => set(index, { quantity_required: Number(value) || 1 })}
          />
          <ActionIcon
            size="lg"
            aria-label={t('Take out {label}, line {index}', { label: inSentence(label), index: index + 1 })}
            onClick={() => onChange(lines.toSpliced(index, 1))}
          >
            <Icon name="close" size={18} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="subtle"
          size="xs"
          disabled={isEmpty}
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => onChange([...lines, empty])}
        >
          {addLabel}
        </Button>
        {isEmpty && (
          <Text size="sm" c="dimmed">
            {t('Add components and packaging under Materials first.')}
          </Text>
        )}
      </Group>
    </Stack>
  )
}

function optionOf({ id, name, size }: { id: string; name: string; size: string }) {
  return { value: id, label: [name, size].filter(Boolean).join(' ') }
}

/** Lines in which something is chosen. */
export function chosenLines<Line extends MaterialLine>(lines: readonly Line[]) {
  return lines.flatMap((line) =>
    line.inventory_item_id === null ? [] : [{ ...line, inventory_item_id: line.inventory_item_id }],
  )
}
