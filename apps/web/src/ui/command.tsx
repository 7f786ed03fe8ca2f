import { useState } from 'react'

/** A line for the terminal, with a button that copies it. `purpose` says what it does, for the button's name. */
export function Command({ line, purpose }: { line: string; purpose: string }) {
  const [outcome, setOutcome] = useState('')

  async function copy() {
    try {
      // Undefined on a page that came over plain HTTP from another machine.
      await navigator.clipboard.writeText(line)
      setOutcome('Copied')
    } catch {
      setOutcome('Select the line and copy it by hand')
    }
  }

  return (
    <div className="command">
      <pre>
        <code>{keepFlagsWhole(line)}</code>
      </pre>
      <button type="button" className="quiet" onClick={() => void copy()} aria-label={`Copy the command to ${purpose}`}>
        Copy
      </button>
      <span className="command-outcome" role="status">
        {outcome}
      </span>
    </div>
  )
}

/** A line may break at spaces, and not after the hyphens of a flag. */
function keepFlagsWhole(line: string) {
  return line.split(/(--[a-z-]+)/).map((part) =>
    part.startsWith('--') ? (
      <span key={part} className="flag">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
