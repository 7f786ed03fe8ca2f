import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { Icon } from '../icon.tsx'
import { followAddress, type SearchText } from './search-text.ts'

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'leftSection'> {
  /** As it stands in the address. */
  value: string
  /** What was typed, a moment after it was. */
  onSearch: (text: string) => void
}

/** A field whose text stands in the address a moment after it was typed. The key `/` goes to it. */
export function SearchField({ value, onSearch, ...others }: SearchFieldProps) {
  const [text, setText] = useState<SearchText>({ typed: value, shown: value, sent: [] })
  if (text.shown !== value) setText(followAddress(text, value))
  const search = useDebouncedCallback((typed: string) => {
    if (typed !== value) setText((now) => ({ ...now, sent: [...now.sent, typed] }))
    onSearch(typed)
  }, 250)
  return (
    <TextInput
      maxLength={120}
      {...others}
      type="search"
      leftSection={<Icon name="search" size={16} />}
      value={text.typed}
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value
        setText((now) => ({ ...now, typed }))
        search(typed.trim())
      }}
    />
  )
}
