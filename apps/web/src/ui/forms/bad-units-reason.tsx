import { Text } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { type FailureType, seenFailures } from '../../lib/words/failure-words.ts'
import { ChoiceChips } from './choice-chips.tsx'

interface BadUnitsReasonProps {
  value: FailureType | undefined
  onChange: (type: FailureType | undefined) => void
}

/** Asks what is wrong with bad units, which may be left open. */
export function BadUnitsReason({ value, onChange }: BadUnitsReasonProps) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('Choose the defect of the bad units, or leave it open.')}
      </Text>
      <ChoiceChips
        label={t('Defect of the bad units')}
        options={seenFailures}
        value={value}
        // A second tap takes it back.
        onChoose={(chosen) => onChange(chosen === value ? undefined : chosen)}
      />
    </div>
  )
}

/** What a request says of bad units: nothing when there are none. */
export function badUnits(quantity: number, type: FailureType | undefined) {
  if (quantity <= 0) return {}
  return { quantity_rejected: quantity, ...(type !== undefined && { failure_type: type }) }
}
