import { NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { printerQuery } from '../../../features/printers/printers.api.ts'
import { t, tc } from '../../../lib/i18n/t.ts'

interface SlotInputProps {
  printerId: string
  value: number
  onChange: (slot: number) => void
}

/** Chooses a slot of a printer by its name, where the printer tells of its slots, else by its number. */
export function SlotInput({ printerId, value, onChange }: SlotInputProps) {
  const slots = useQuery(printerQuery(printerId)).data?.slots ?? []
  if (slots.length === 0) {
    return (
      <NumberInput
        label={t('Slot')}
        description={t('0 where the printer has one place for filament')}
        min={0}
        max={255}
        allowDecimal={false}
        value={value}
        onChange={(chosen) => onChange(Number(chosen) || 0)}
      />
    )
  }
  return (
    <Select
      label={t('Slot')}
      data={slots.map(({ slot, name, filament_type, is_empty }) => ({
        value: String(slot),
        label: [name, is_empty ? tc('place of a printer', 'empty') : (filament_type ?? '')].filter(Boolean).join(': '),
      }))}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen ?? 0))}
      allowDeselect={false}
    />
  )
}
