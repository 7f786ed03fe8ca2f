import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { Icon } from '../icon.tsx'

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'leftSection'> {
  /** As it stands in the address. */
  value: string
  /** What was typed, a moment after it was. */
  onSearch: (text: string) => void
}

/** A field whose text stands in the address a moment after it was typed. The key `/` goes to it. */
export function SearchField({ value, onSearch, ...others }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    // What is typed on meanwhile is not undone by the answer to what was typed before.
    if (typed.trim() !== value) setTyped(value)
  }
  const search = useDebouncedCallback(onSearch, 250)
  return (
    <TextInput
      maxLength={120}
      {...others}
      type="search"
      leftSection={<Icon name="search" size={16} />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        search(currentTarget.value.trim())
      }}
    />
  )
}
