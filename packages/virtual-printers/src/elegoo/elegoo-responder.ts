import { createSocket, type Socket } from 'node:dgram'

interface ElegooResponder {
  /** Ports at which the question of each model is heard. */
  readonly ports: { sdcp: number; mqtt: number }
  close(): Promise<void>
}

/**
 * Answers who it is on loopback, as a Centauri Carbon does to `M99999` and a Centauri Carbon 2 to method 7000. A serial number
 * that is left out means that there is no such printer.
 */
export async function startElegooResponder(serials: { sdcp?: string; mqtt?: string }): Promise<ElegooResponder> {
  const sdcp = await answering((question) =>
    serials.sdcp !== undefined && question === 'M99999'
      ? {
          Id: 'f25273b12b094c5a8b9513a30ca60049',
          Data: {
            Name: 'Centauri Carbon',
            MachineName: 'Centauri Carbon',
            BrandName: 'ELEGOO',
            MainboardIP: '127.0.0.1',
            MainboardID: serials.sdcp,
            ProtocolVersion: 'V3.0.0',
            FirmwareVersion: 'V1.1.40',
          },
        }
      : undefined,
  )
  const mqtt = await answering((question) =>
    serials.mqtt !== undefined && /"method":\s*7000/.test(question)
      ? {
          id: 0,
          method: 7000,
          result: {
            host_name: 'Centauri Carbon 2',
            machine_model: 'Centauri Carbon 2',
            sn: serials.mqtt,
            token_status: 1,
            lan_status: 1,
          },
        }
      : undefined,
  )
  return {
    ports: { sdcp: sdcp.address().port, mqtt: mqtt.address().port },
    async close() {
      await Promise.all([sdcp, mqtt].map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))))
    },
  }
}

async function answering(answer: (question: string) => object | undefined): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.on('message', (data, from) => {
    const said = answer(data.toString())
    if (said) socket.send(JSON.stringify(said), from.port, from.address, () => undefined)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(0, '127.0.0.1', resolve)
  })
  return socket
}
