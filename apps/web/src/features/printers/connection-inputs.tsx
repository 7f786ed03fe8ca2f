import { PasswordInput, TextInput } from '@mantine/core'
import { type ConnectionType, connectionKinds } from './connection-fields.ts'

interface ConnectionInputsProps {
  type: ConnectionType
  values: Readonly<Record<string, string>>
  errors: Readonly<Record<string, string>>
  onChange: (name: string, value: string) => void
}

/** The fields that this kind of connection needs, and no others. */
export function ConnectionInputs({ type, values, errors, onChange }: ConnectionInputsProps) {
  return connectionKinds[type].fields.map(({ name, label, hint, isRequired, isSecret }) => {
    const Input = isSecret ? PasswordInput : TextInput
    return (
      <Input
        key={name}
        label={label}
        description={hint}
        withAsterisk={isRequired ?? false}
        autoComplete="off"
        value={values[name] ?? ''}
        onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        error={errors[name]}
        {...(name === 'port' && { inputMode: 'numeric' as const })}
      />
    )
  })
}
