import { useEffect, useRef, useState } from 'react';
import { apiErrorOf, sentenceOf } from '../lib/api.js';
import { saveAsPng, saveAsSvg } from '../lib/drawing-files.js';
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
  const [shown, setShown] = useState<{ readonly blob: Blob; readonly address: string }>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    void loadPicture(url).then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setShown({ blob, address: made });
      },
      (error: unknown) => isGone || setProblem(sentenceOf(error)),
    );
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [url]);
  if (problem !== undefined) return <p className="problem">{problem}</p>;
  if (shown === undefined) return <p className="hint">Loading the picture …</p>;
  const { blob, address } = shown;
  return blob.type.startsWith('image/svg+xml') ? <Drawing {...shown} alt={alt} /> : <img src={address} alt={alt} />;
}

interface DrawingProps {
  readonly blob: Blob;
  readonly address: string;
  readonly alt: string;
}

/** A chart, which a person may want elsewhere. */
function Drawing({ blob, address, alt }: DrawingProps) {
  const image = useRef<HTMLImageElement>(null);
  const [problem, setProblem] = useState<string>();
  const onPng = (): void => {
    if (image.current === null) return;
    saveAsPng(image.current, alt).then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  };
  return (
    <>
      <img ref={image} src={address} alt={alt} />
      <div className="row save">
        <button type="button" className="quiet small" onClick={onPng}>
          Save as PNG
        </button>
        <button type="button" className="quiet small" onClick={() => saveAsSvg(blob, alt)}>
          Save as SVG
        </button>
      </div>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

async function loadPicture(url: string): Promise<Blob> {
  const response = await ownFetch(url);
  if (!response.ok) throw await apiErrorOf(response);
  return response.blob();
}
