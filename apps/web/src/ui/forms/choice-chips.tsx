import { UnstyledButton } from '@mantine/core'
import './choice-chips.css'

interface ChoiceChipsProps<Value extends string> {
  /** What is chosen: `What went wrong with clip.gcode`. */
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value | undefined
  onChoose: (value: Value) => void
}

/** A choice among few, by one tap. */
export function ChoiceChips<Value extends string>({ label, options, value, onChoose }: ChoiceChipsProps<Value>) {
  return (
    <fieldset className="choice-chips" aria-label={label}>
      {options.map((option) => (
        <UnstyledButton
          key={option.value}
          type="button"
          className="choice-chip"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </UnstyledButton>
      ))}
    </fieldset>
  )
}
