import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'

/** What is typed stands in the address a moment later. */
export function FileSearch({ search }: { search: string }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(search)
  const [shown, setShown] = useState(search)
  if (shown !== search) {
    setShown(search)
    setTyped(search)
  }
  const look = useDebouncedCallback((text: string) => {
    void navigate({ to: '/files', search: text === '' ? {} : { search: text }, replace: true })
  }, 250)
  return (
    <TextInput
      aria-label="Search files"
      placeholder="Search by name"
      type="search"
      maxLength={120}
      mb="sm"
      maw="24rem"
      leftSection={<Icon name="search" size={16} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        look(event.currentTarget.value.trim())
      }}
    />
  )
}
