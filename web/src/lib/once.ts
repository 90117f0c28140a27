/** Something that is loaded once for each key. What failed is tried again when it is next asked for. */
export class Once<Key, Value> {
  private readonly known = new Map<Key, Promise<Value>>();
  private readonly loaded = new Map<Key, Value>();

  constructor(private readonly load: (key: Key) => Promise<Value>) {}

  /** What is loaded already, for those who cannot wait. */
  peek(key: Key): Value | undefined {
    return this.loaded.get(key);
  }

  get(key: Key): Promise<Value> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const value = this.load(key).then(
      (loaded) => {
        this.loaded.set(key, loaded);
        return loaded;
      },
      (error: unknown) => {
        this.known.delete(key);
        throw error;
      },
    );
    this.known.set(key, value);
    return value;
  }
}

/** What is at an address. */
export async function fetched(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response;
}
