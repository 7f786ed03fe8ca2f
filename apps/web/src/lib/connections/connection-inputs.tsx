import { PasswordInput, TextInput } from '@mantine/core'
import { type ConnectionTexts, type ConnectionType, families } from './connection-families.ts'

interface ConnectionInputsProps {
  type: ConnectionType
  values: ConnectionTexts
  errors: Readonly<Record<string, string>>
  onChange: (name: string, value: string) => void
}

/** The fields that this family of printers needs, and no others. */
export function ConnectionInputs({ type, values, errors, onChange }: ConnectionInputsProps) {
  return families[type].fields.map(({ name, label, description, kind, isRequired = false }) => {
    const Input = kind === 'secret' ? PasswordInput : TextInput
    return (
      <Input
        key={name}
        label={label}
        description={description}
        withAsterisk={isRequired}
        // The browser's own password store has nothing to do with the secrets of printers.
        autoComplete={kind === 'secret' ? 'new-password' : 'off'}
        value={values[name] ?? ''}
        onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        error={errors[name]}
        {...(kind === 'port' && { inputMode: 'numeric' as const })}
      />
    )
  })
}
