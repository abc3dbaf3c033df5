import { useEffect, useState } from 'react';
import { refusalOf, sentenceOf } from '../lib/api.js';
import { type NamedPicture, picturesOf, type ShownPicture } from '../lib/output-pictures.js';
import { ownFetch } from '../lib/token.js';

interface OutputPicturesProps {
  readonly output: unknown;
  readonly isOwn: boolean;
}

/** Pictures that a call gave. */
export function OutputPictures({ output, isOwn }: OutputPicturesProps) {
  return picturesOf(output, isOwn).map(({ picture, alt }: NamedPicture, at) => (
    <figure key={at} className="picture">
      <Shown picture={picture} alt={alt} />
      <figcaption>{alt}</figcaption>
    </figure>
  ));
}

interface ShownProps {
  readonly picture: ShownPicture;
  readonly alt: string;
}

export function Shown({ picture, alt }: ShownProps) {
  return picture.kind === 'here' ? <img src={picture.url} alt={alt} /> : <Kept url={picture.url} alt={alt} />;
}

/** The token goes in a header, which an `img` cannot send. */
function Kept({ url, alt }: { readonly url: string; readonly alt: string }) {
  const [shown, setShown] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    void loadPicture(url).then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setShown(made);
      },
      (error: unknown) => isGone || setProblem(sentenceOf(error)),
    );
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [url]);
  if (problem !== undefined) return <p className="problem">{problem}</p>;
  return shown === undefined ? <p className="hint">Loading the picture …</p> : <img src={shown} alt={alt} />;
}

async function loadPicture(url: string): Promise<Blob> {
  const response = await ownFetch(url);
  if (!response.ok) throw await refusalOf(response);
  return response.blob();
}
