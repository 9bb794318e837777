import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import org.HdrHistogram.Histogram;

/**
 * Writes histogram.hgrm and histogram.base64: what the Java library, which the others follow, prints and encodes
 * (compressed, and plain) of 10,000 values (k² + 1) · 7, k = 0 … 9,999, and of one stall.
 *
 * <p>javac -cp HdrHistogram-2.2.2.jar ReferenceHistogram.java && java -cp HdrHistogram-2.2.2.jar:. ReferenceHistogram
 */
final class ReferenceHistogram {
    public static void main(String[] arguments) throws Exception {
        Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        for (long k = 0; k < 10_000; k++) histogram.recordValue((k * k + 1) * 7);
        histogram.recordValueWithExpectedInterval(5_000_000_123L, 1_000_000_000L);
        try (PrintStream text = new PrintStream("histogram.hgrm")) {
            histogram.outputPercentileDistribution(text, 5, 1_000.0);
        }
        ByteBuffer plain = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        ByteBuffer compressed = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int plainLength = histogram.encodeIntoByteBuffer(plain);
        int compressedLength = histogram.encodeIntoCompressedByteBuffer(compressed);
        try (PrintStream text = new PrintStream("histogram.base64")) {
            text.println(base64(compressed, compressedLength));
            text.println(base64(plain, plainLength));
        }
    }

    private static String base64(ByteBuffer bytes, int length) {
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
